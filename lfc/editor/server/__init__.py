"""The protocol: what an editor sends, answered from the rooms beside."""
