"""Packages: manifests, contents, git repositories, lock files, commands. All repositories are local."""
