"""Systems of several boards, followed at once in the built-in simulator: what their images do, step by step, is
something that the composition can do too (trace inclusion by a subset construction; docs/theory/links.md).
"""
