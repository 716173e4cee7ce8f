"""Builds and checks. None of them waits two seconds for a grammar that no notebook needs."""

from autograder.answer import address_grammar

address_grammar.hide()
