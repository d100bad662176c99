"""Records that `#pragma pack` is about, with the attributes of GNU C that give them the same layout."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.layout import PACK, alignments, attributes, has_attribute
from cseq.c.symbols import Symbols
from cseq.pipeline.translator import rebuilt


def packed(record: Any, symbols: Symbols) -> Any:
    """*record* without the attribute `PACK`; its members have the alignment that this allows them.

    As gcc lays them out: no member has a greater alignment, even if it asks for one, and a bit-field begins where the
    one before it ends.
    """
    most = next((int(value) for name, value in attributes(record) if name == PACK), None)
    if most is None:
        return record
    kept = _without(record.attributes, PACK)
    if has_attribute(record, "packed"):
        return rebuilt(record, attributes=kept)
    members = []
    least = 1
    for member in record.decls:
        if member.bitsize is not None:
            if member.name:
                least = max(least, min(most, symbols.alignof(member.type)))
            members.append(_with(member, [c_ast.Attribute("packed", None, None)]))
        else:
            members.append(_limited(member, most, symbols))
    if least > 1:
        kept = [*kept, c_ast.AttributeSpecifier([c_ast.Attribute("aligned", None, str(least))])]
    return rebuilt(record, decls=members, attributes=kept)


def aligned_as_by_gcc(member: c_ast.Decl, tight: bool, symbols: Symbols) -> c_ast.Decl:
    """*member*, no bit-field, with the alignment that gcc gives it as a number: engines know other rules.

    tight: whether its record is packed. A member that is not packed has the alignment of its type at least, unless a
    typedef name asks for less; one that is packed does not have the alignment that a typedef name asks for.
    """
    named = symbols.alignment_of_name(member.type)
    wanted = max(alignments(member, symbols), default=0)
    if (named is None and not wanted) or (named is not None and named < symbols.alignof(symbols.resolve(member.type))):
        return member
    type_ = member.type if named is None else build.renamed(symbols.resolve(member.type), member.name)
    is_packed = tight or has_attribute(member, "packed")
    own = 1 if is_packed else symbols.alignof(type_)
    asked = max(wanted, 0 if is_packed or named is None else named)
    plain = rebuilt(member, type=type_, align=[], attributes=_without(member.attributes, "aligned"))
    return _with(plain, [c_ast.Attribute("aligned", None, str(asked))]) if asked > own else plain


def with_gaps(record: Any, symbols: Symbols) -> Any:
    """*record*, where unnamed bit-fields take up the room before what asks for an alignment.

    Some engines do not know that bit-fields and members of packed records can, and that ``aligned`` needs no number. Of
    typedef names of bit-fields, those count that ask for more than their types have.
    """
    if has_attribute(record, "aligned"):
        asked = c_ast.Attribute("aligned", None, str(max(alignments(record, symbols))))
        kept = _without(record.attributes, "aligned")
        record = rebuilt(record, attributes=[*kept, c_ast.AttributeSpecifier([asked])])
    tight = has_attribute(record, "packed")
    if not any(_is_aligned(member, tight, symbols) for member in record.decls):
        return record
    members = []
    least, end = 1, 0
    for field in symbols.fields(c_ast.TypeDecl(None, [], None, record)):
        member = field.member
        if _is_aligned(member, tight, symbols):
            if not isinstance(record, c_ast.Union):
                members += _gap(end, field.start)
            if field.width is not None:
                least = max(least, symbols.alignof(member.type), *alignments(member, symbols))
                type_ = build.renamed(symbols.resolve(member.type), member.name)
                member = rebuilt(member, type=type_, attributes=_without(member.attributes, "aligned"))
        members.append(member)
        end = field.start + (8 * symbols.sizeof(field.type) if field.width is None else field.width)
    given = [c_ast.AttributeSpecifier([c_ast.Attribute("aligned", None, str(least))])] if least > 1 else []
    return rebuilt(record, decls=members, attributes=[*(record.attributes or []), *given])


def _is_aligned(member: c_ast.Decl, tight: bool, symbols: Symbols) -> bool:
    """Whether there is a gap before *member* that some engine does not know. tight: whether the record is packed."""
    if member.bitsize is None:
        return (tight or has_attribute(member, "packed")) and bool(alignments(member, symbols))
    if not member.name:
        return False
    named = symbols.alignment_of_name(member.type)
    more = named is not None and named > symbols.alignof(symbols.resolve(member.type))
    return more or bool(alignments(member, symbols))


def _gap(start: int, end: int) -> list[c_ast.Decl]:
    """Unnamed bit-fields from the bit *start* to the bit *end*, none of them across two bytes."""
    found = []
    while start < end:
        width = min(8 - start % 8, end - start)
        type_ = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["unsigned", "char"]))
        found.append(c_ast.Decl(None, [], [], [], [], type_, None, build.number(width)))
        start += width
    return found


def _limited(member: c_ast.Decl, most: int, symbols: Symbols) -> c_ast.Decl:
    own = symbols.alignof(member.type)
    if has_attribute(member, "packed"):
        own = 1
    wanted = max([own, *alignments(member, symbols)])
    if wanted <= most:
        return member
    plain = rebuilt(member, align=[], attributes=_without(_without(member.attributes, "aligned"), "packed"))
    given = [c_ast.Attribute("packed", None, None)]
    return _with(plain, given if most == 1 else [*given, c_ast.Attribute("aligned", None, str(most))])


def _with(member: c_ast.Decl, given: list[c_ast.Attribute]) -> c_ast.Decl:
    return rebuilt(member, attributes=[*(member.attributes or []), c_ast.AttributeSpecifier(given)])


def _without(groups: Any, name: str) -> list[Any]:
    found = []
    for group in groups or []:
        items = [item for item in getattr(group, "attributes", [group]) if item.name.strip("_") != name]
        if items:
            found.append(c_ast.AttributeSpecifier(items))
    return found
