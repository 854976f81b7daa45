"""What commands share: options, exit codes, output, projects, images, the gate."""
