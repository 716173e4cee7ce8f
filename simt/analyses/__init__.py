"""What happened, and what it costs: one question per file, each a `simt.events.Listener`.

Nothing here is imported by the interpreter's core; `simt.tracing` puts the listeners together.
"""
