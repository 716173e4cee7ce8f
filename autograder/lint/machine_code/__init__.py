"""What the compiler makes of a kernel: PTX, what the assembler says of it, and what its loops let run at once."""
