"""A table on disk: the outcome of every position of a solved game.

stores        folders and buckets that hold files
packed        arrays as the content of files, compressed
sealed        JSON objects with their own checksum, and checksums of arrays
parquet       writing one file of a table
reading       reading one file of a table, row group by row group
manifest      the game of a table, and its files with their checksums
code_lookup   finding outcome codes in the files of a table
table         `Table`, which answers questions about positions
scan          walking through a table: samples, and the outcomes of successors
verify        whether a table is complete and agrees with the rules
export        a table as rows for other programs
"""
