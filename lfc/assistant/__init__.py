"""The toolchain for assistants: its commands as tools of the Model Context Protocol."""
