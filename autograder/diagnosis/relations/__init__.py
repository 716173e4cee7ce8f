"""What wrong results have to do with the right ones, or with what was given, in several cases alike."""
