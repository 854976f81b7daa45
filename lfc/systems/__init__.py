"""Several boards as one program: what runs on each, and links between their ports. A composition in the sense of
process algebra (Milner, *Communication and Concurrency*, 1989), with a protocol for each link (Bartlett, Scantlebury
and Wilkinson, *A note on reliable full-duplex transmission over half-duplex links*, 1969).
"""
