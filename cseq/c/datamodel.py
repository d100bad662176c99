"""The sizes and alignments of C's arithmetic types."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DataModel:
    """The sizes of C's types in bytes: ILP32 or LP64."""

    name: str
    pointer: int

    def size(self, arithmetic: str) -> int:
        """The size of an arithmetic type by its canonical name."""
        base = arithmetic.removeprefix("unsigned ").removeprefix("signed ")
        if base == "long":
            return self.pointer
        if base == "long double" and self.pointer == 4:
            return 12
        return _SIZES[base]

    def alignment(self, arithmetic: str) -> int:
        """The alignment of an arithmetic type in a struct: the i386 ABI aligns what is larger than 4 bytes to 4."""
        size = self.size(arithmetic)
        return min(size, self.pointer) if self.pointer == 4 and "__int128" not in arithmetic else size


_SIZES = {
    "void": 1, "_Bool": 1, "char": 1, "short": 2, "int": 4, "long long": 8,
    "float": 4, "double": 8, "long double": 16, "__int128": 16,
}  # fmt: skip

ILP32 = DataModel("ILP32", 4)
LP64 = DataModel("LP64", 8)
