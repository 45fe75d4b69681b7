"""dpviz for a house with several people: who they are, what each may do, which data are named, what is refused."""
