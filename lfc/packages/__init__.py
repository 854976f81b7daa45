"""Packages: modules, models, properties and records of checks that a project takes from other folders and git
repositories, pinned by commit and content. Nothing of a package is run while it is fetched."""
