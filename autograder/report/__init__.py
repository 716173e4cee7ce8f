"""An Outcome as text, HTML and JSON. Each renderer shows the same parts in the same order: what the learner
observes, the one cause that explains it best with its lines, then one thing to do. Importing this package registers
the renderers, so that an Outcome or a Speed shows itself."""

from autograder.outcome import RENDERERS, Outcome, Speed
from autograder.report import html, speed, text

RENDERERS[Outcome, "text"] = text.render_text
RENDERERS[Outcome, "html"] = html.render_html
RENDERERS[Speed, "text"] = speed.render_text
RENDERERS[Speed, "html"] = speed.render_html
