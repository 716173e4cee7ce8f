"""The intermediate representation: values, operations, graphs."""
