"""The documentation's site: pages of docs/, units with their recorded outputs, and a reference, by MkDocs Material.

`sources` decides which file becomes which page and turns links, `units` renders notebooks, `build` puts it together.
MkDocs Material, since it needs Python alone, gives static files that fetch nothing, and has search, dark mode and
phones solved; it is maintained until May 2027, and its successor Zensical reads the same configuration.
"""
