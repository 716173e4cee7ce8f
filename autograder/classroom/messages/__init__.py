"""How processes of a class talk: JSON and bytes, each of bounded size, within limits on time and memory."""
