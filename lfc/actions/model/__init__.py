"""The machine as data: flow graphs, actions, positions, block layout, and who can reach what."""
