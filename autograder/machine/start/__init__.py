"""`warpbook start`: the course in a folder of the learner's own, from a clone or from an installed package.

`folder` decides what is written where, `merge` carries answers over into newer notebooks, `lab` opens JupyterLab.
"""
