"""The handouts' systems, pure Python, one file a system."""
