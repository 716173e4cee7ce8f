"""Models that nobody here exported, from packages of the Python index: do they parse, build, run and agree?"""
