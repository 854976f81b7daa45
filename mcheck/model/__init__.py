"""The program as the engine sees it: state vector, transitions, clocks, inputs, environment."""
