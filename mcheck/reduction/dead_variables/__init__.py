"""Dead-variable reduction (Bozga, Fernandez and Ghirvu 1999): what nothing will read is no part of a state."""
