"""What every room may use: sources and spans, strongly connected components, the version, a missing tool."""
