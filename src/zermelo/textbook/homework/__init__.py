"""A student's own searches beside the handouts': run apart, compared state by state, differences explained."""
