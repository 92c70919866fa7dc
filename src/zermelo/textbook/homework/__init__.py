"""A student's own searches: what they are asked, and what they answer beside the handouts' searches.

Modules
    assignments  what a student may write, and how it is called
    student      what runs in the process of a student's file
    guard        what that process must not do
    reference    the right solution of each assignment
    habits       the catalogue of mistakes that people make
    practice     the search with the habits of the catalogue
    compare      a student's search beside the right one
    exam         the searches that a student's function is asked for
    causes       the mistakes that explain what a student's search does
    shrink       from a position that shows a mistake to a smaller one
"""
