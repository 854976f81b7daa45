"""What the editor shows of an analysed text: one file for each request of the protocol."""
