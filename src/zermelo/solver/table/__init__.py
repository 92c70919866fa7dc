"""A solved table on disk.

parquet    one file of a table
manifest   what a table is a table of, and its files with their checksums
sealed     JSON with a checksum of its own; checksums of arrays
stores     folders and buckets that hold files
reading    a file of a table, read block by block
table      `Table`, which answers questions
verify     whether a table is whole, and agrees with the rules
export     a table as rows for other programs
"""
