"""Published results of games, and whether zermelo agrees with them.

facts      what others published, from the tables in this folder; `tables/atlas.toml` says how to read them
measuring  how long a fact took, and what was found
small      small games, solved without compiling
answers    zermelo's own answer to a fact's question
"""
