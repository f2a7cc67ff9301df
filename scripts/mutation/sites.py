"""Every place where scripts/mutate can change a source file, and the file with changes compiled in."""
import hashlib
import re

from tokens import ASSIGN, Parsed

NAMES = {'<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '==': 'eq', '!=': 'ne'}
FLIPPED = {'<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '!=', '!=': '=='}
BOUNDARY = {'<': '<=', '<=': '<', '>': '>=', '>=': '>'}
KEYWORDS = {'return', 'throw', 'else', 'do', 'case', 'co_return', 'goto', 'delete', 'new', 'break', 'continue', 'if', 'for', 'while',
            'switch', 'using', 'default', 'sizeof', 'const', 'auto', 'static', 'constexpr', 'typename', 'public', 'private',
            'this', 'operator', 'try', 'catch', 'static_cast', 'nullptr', 'template', 'struct', 'void', 'bool', 'int', 'char'}
LOW = {',', ';', '?', ':', '||', '&&', '<=>'} | ASSIGN
STOPS = {  # where the left operand of an operator ends; the right one also ends at the operator's own kind
    'relation': LOW | {'|', '^', '&', '==', '!='}, 'equality': LOW | {'|', '^', '&'}, '&&': LOW - {'&&'},
    '||': LOW - {'||', '&&'}, '?': LOW - {'||', '&&', '<=>'}}
OWN = {'relation': {'<', '<=', '>', '>='}, 'equality': {'==', '!='}, '&&': {'&&', '||'}, '||': {'||'}, '?': set()}
INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU]|[zZ]?[uU]?)$")
NOT_DELETED = re.compile(r'(?:HW_\w+|EXPECT_\w+|\w*reserve|shrink_to_fit|\w*prefetch\w*|\w*advise\w*|static_cast)$')
COMMUTE = {'min', 'max', 'swap', 'all_of', 'Same', 'gcd', 'exchange'}


class Mutant:
    """One change: where, what kind, and what it writes around or instead of which characters."""

    def __init__(self, parsed, file, token, kind, change, wraps, replaced=()):
        self.file, self.kind, self.change, self.wraps, self.replaced = file, kind, change, wraps, replaced
        self.at = parsed.tokens[token].start
        self.line = parsed.source.count('\n', 0, self.at) + 1
        self.space = 'hw_mut_c' if parsed.in_constexpr[token] else 'hw_mut'
        begin = parsed.source.rfind('\n', 0, self.at) + 1
        self.text = parsed.source[begin:parsed.source.find('\n', self.at)].strip()
        self.number = 0

    def spans(self):
        return [(w[0], w[1]) for w in self.wraps]


class Finder:
    def __init__(self, file, source):
        self.file, self.p = file, Parsed(source)
        self.t, self.match, self.found = self.p.tokens, self.p.match, []

    def add(self, token, kind, change, wraps, replaced=()):
        self.found.append(Mutant(self.p, self.file, token, kind, change, wraps, replaced))

    def text(self, first, last):
        return self.p.source[self.t[first].start:self.t[last].end]

    def is_stop(self, j, stops):
        text = self.t[j].text
        if text in ('&', '&&', '|', '^') and not self.t[j].spaced:
            return False
        return text in stops or (self.t[j].kind == 'id' and text in ('return', 'throw', 'else', 'do', 'case', 'co_return'))

    def left(self, i, kind):
        """First token of the left operand of token i."""
        j = i - 1
        while j >= 0:
            text = self.t[j].text
            if text in (')', ']', '>t') and j in self.match:
                j = self.match[j] - 1
            elif text == '}':
                opened = self.match.get(j)
                if opened is None or self.t[opened - 1].text in (')', ';', '{', '}', ']') or self.t[opened - 1].text in ('else', 'do'):
                    break
                j = opened - 1
            elif text in ('(', '[', '{', '<t') or self.is_stop(j, STOPS[kind]):
                break
            else:
                j -= 1
        return j + 1

    def right(self, i, kind):
        """Last token of the right operand of token i."""
        j = i + 1
        while j < len(self.t):
            text = self.t[j].text
            if text in ('(', '[', '{', '<t') and j in self.match:
                j = self.match[j] + 1
            elif text in (')', ']', '}', '>t') or self.is_stop(j, STOPS[kind] | OWN[kind]):
                break
            else:
                j += 1
        return j - 1

    def primary_from(self, i):
        """Last token of the name or number that begins at token i and is a whole operand, or None."""
        if i >= len(self.t) or self.t[i].kind not in ('id', 'num') or self.t[i].text in KEYWORDS:
            return None
        if self.t[i].kind == 'num':
            return i
        j = i
        while j + 2 < len(self.t) and self.t[j + 1].text in ('.', '->', '::') and self.t[j + 2].kind == 'id':
            j += 2
        return None if self.t[j + 1].text in ('(', '<t', '[', '{', '.', '->', '::', '++', '--') else j

    def primary_to(self, i):
        """First token of the name or number that ends at token i, or None."""
        if i < 0 or self.t[i].kind not in ('id', 'num') or self.t[i].text in KEYWORDS:
            return None
        j = i
        while self.t[i].kind == 'id' and j >= 2 and self.t[j - 1].text in ('.', '->', '::') and self.t[j - 2].kind == 'id':
            j -= 2
        before = self.t[j - 1]
        whole = before.kind == 'op' and before.text not in ('.', '->', '::', '!', '~', '++', '--', '>t') and \
            not (before.text in '-+*&' and not before.spaced)
        return j if whole or before.text == 'return' else None

    def find(self):
        for i, t in enumerate(self.t):
            if not self.p.body[i] or self.p.constant[i]:
                continue
            if t.kind == 'op':
                self.operator(i, t)
            elif t.kind == 'num' and INTEGER.match(t.text) and self.t[i - 1].text != '::':
                value = int(t.text.replace("'", '').rstrip('uUlLzZ') or '0', 0) if not re.match(r'0[0-9]', t.text) else 8
                other = '1' if value == 0 else '0'
                self.add(i, 'constant', f'{t.text} -> {other}', [(t.start, t.end, '{s}::constant<{n}, decltype(%s)>(' % t.text,
                                                                  f', {other})')])
            elif t.text in ('true', 'false'):
                other = 'false' if t.text == 'true' else 'true'
                self.add(i, 'constant', f'{t.text} -> {other}', [(t.start, t.end, '{s}::constant<{n}>(', f', {other})')])
        for opened in self.p.controls:
            self.condition(opened)
        for first, last in self.p.statements:
            self.statement(first, last)
        return self.found

    def operator(self, i, t):
        if t.text in NAMES and t.spaced:
            self.comparison(i, t)
        elif t.text in ('&&', '||') and t.spaced:
            a, b = self.left(i, t.text), self.right(i, t.text)
            other = '||' if t.text == '&&' else '&&'
            sides = [(self.t[a].start, self.t[i - 1].end), (self.t[i + 1].start, self.t[b].end)]
            self.add(i, 'and-or', f'{t.text} -> {other}',
                     [(sides[0][0], sides[1][1], '{s}::negate<{n}>(', ')')] + [(*s, '{s}::negate<{n}>(', ')') for s in sides])
        elif t.text == '?':
            a = self.left(i, '?')
            if a < i:
                self.negated(i, a, i - 1)
        if t.spaced and t.text in ('+', '-', '<', '<=', '>', '>=', '==', '!='):
            a, b = self.primary_to(i - 1), self.primary_from(i + 1)
            if a is not None:
                self.step(a, i - 1)
            if b is not None:
                self.step(i + 1, b)
        elif t.text == '[' and self.match.get(i) and self.t[i - 1].kind == 'id':
            b = self.primary_from(i + 1)
            if b is not None and b + 1 == self.match[i]:
                self.step(i + 1, b)
        elif t.text == '(' and i in self.match and self.t[i - 1].kind == 'id' and self.t[i - 1].text not in KEYWORDS:
            self.arguments(i)

    def comparison(self, i, t):
        kind = 'equality' if t.text in ('==', '!=') else 'relation'
        a, b = self.left(i, kind), self.right(i, kind)
        if a >= i or b <= i:
            return
        ends = (self.t[a].start, self.t[b].end)
        for what, table in (('flipped', FLIPPED), ('boundary', BOUNDARY)):
            if t.text in table:
                wrap = (*ends, '{s}::%s<{%s}>(' % (NAMES[t.text], what), ')')
                self.add(i, what, f'{t.text} -> {table[t.text]}', [wrap], [(t.start, t.end, ',')])

    def negated(self, at, first, last):
        for j in range(first, last + 1):  # == and != are flipped already
            if self.t[j].text in ('==', '!=') and (self.left(j, 'equality'), self.right(j, 'equality')) == (first, last):
                return
        self.add(at, 'negated', f'!({self.text(first, last)})',
                 [(self.t[first].start, self.t[last].end, '{s}::negate<{n}>(', ')')])

    def condition(self, opened):
        last, first = self.match[opened] - 1, opened + 1
        depth = 0
        for j in range(opened + 1, last + 1):
            depth += (self.t[j].text in ('(', '{', '[')) - (self.t[j].text in (')', '}', ']'))
            if self.t[j].text == ';' and depth == 0:
                first = j + 1
        if any(self.t[j].text == '=' for j in range(first, last + 1)) and (
                self.t[first].text in ('const', 'auto') or self.t[first + 1].kind == 'id'):
            return
        self.negated(first, first, last)

    def step(self, first, last):
        """One more and one less of an integer."""
        if self.t[first].text in ('true', 'false') or (self.t[first].kind == 'num' and not INTEGER.match(self.t[first].text)):
            return
        name = self.text(first, last)
        place = self.p.source[:self.t[first].start].splitlines()[-1] if first else ''
        more = hashlib.sha256((place + name).encode()).digest()[0] % 2  # one of the two, drawn by the text there
        function, change = ('more', f'{name} -> {name} + 1') if more else ('less', f'{name} -> {name} - 1')
        self.add(first, 'step', change, [(self.t[first].start, self.t[last].end, '{s}::%s<{n}>(' % function, ')')])

    def arguments(self, opened):
        closed, parts, first, j = self.match[opened], [], opened + 1, opened + 1
        while j <= closed:
            if j == closed or self.t[j].text == ',':
                parts.append((first, j - 1))
                first = j + 1
                j += 1
            elif self.t[j].text in ('(', '[', '{', '<t') and j in self.match:
                j = self.match[j] + 1
            else:
                j += 1
        whole = [(a, b) for a, b in parts if a <= b and self.primary_from(a) == b]
        declares = self.t[opened - 2].kind == 'id' and self.t[opened - 2].text not in KEYWORDS
        for (a, b), (c, d) in zip(parts, parts[1:]):
            if (a, b) not in whole or (c, d) not in whole or self.text(a, b) == self.text(c, d) or declares or \
                    self.t[opened - 1].text in COMMUTE:
                continue
            one, two = self.text(a, b), self.text(c, d)
            self.add(a, 'swapped', f'{one}, {two} -> {two}, {one}',
                     [(self.t[a].start, self.t[b].end, '{s}::swapped<{n}>(', f', {two})'),
                      (self.t[c].start, self.t[d].end, '{s}::swapped<{n}>(', f', {one})')])

    def statement(self, first, last):
        """A call, an assignment or a count that is a whole statement can be left out."""
        if last - first < 1 or self.p.constant[first] or self.t[first].text in KEYWORDS - {'this'}:
            return
        j = first
        if self.t[j].text in ('++', '--'):
            self.deleted(first, last)
            return
        if self.t[j].kind != 'id' and self.t[j].text not in ('*', '('):
            return
        if self.t[j].text == '*':
            j += 1
        name, called = '', False
        while j < last:
            text = self.t[j].text
            if self.t[j].kind == 'id':
                if j > first and self.t[j - 1].text not in ('::', '.', '->', '*'):
                    return  # a declaration: a type is before the name
                name = text
                j += 1
            elif text in ('::', '.', '->'):
                j += 1
            elif text in ('[', '(', '<t') and j in self.match:
                called = text == '('
                j = self.match[j] + 1
            elif text in ASSIGN or text in ('++', '--'):
                self.deleted(first, last)
                return
            else:
                return
        if called and not NOT_DELETED.match(name):
            self.deleted(first, last)

    def deleted(self, first, last):
        self.add(first, 'deleted', f'without {self.text(first, last)[:80]}',
                 [(self.t[first].start, self.t[last].end, '{{ if (!{s}::is<{n}>()) ', ' }}')])


def diff(source, mutant):
    """The lines that a mutant changes, as they were and as they are with it."""
    other = mutant.change.split(' -> ')[-1]
    if mutant.kind in ('flipped', 'boundary', 'and-or'):
        length = len(mutant.change.split(' -> ')[0])
        edits = [(mutant.at, mutant.at + length, other)]
    elif mutant.kind == 'swapped':
        edits = [(*span, word) for span, word in zip(mutant.spans(), other.split(', '))]
    elif mutant.kind == 'deleted':
        edits = [(*span, '') for span in mutant.spans()]
    else:
        edits = [(*span, mutant.change if mutant.kind == 'negated' else other) for span in mutant.spans()]
    begin = source.rfind('\n', 0, min(e[0] for e in edits)) + 1
    end = source.find('\n', max(e[1] for e in edits))
    changed = source[begin:end]
    for start, stop, text in sorted(edits, reverse=True):
        changed = changed[:start - begin] + text + changed[stop - begin:]
    return [*('-' + line for line in source[begin:end].split('\n')), *('+' + line for line in changed.split('\n'))]


def key(mutant, seed, seen):
    """A sample stays what it was where other lines change."""
    words = f'{seed} {mutant.file} {mutant.kind} {mutant.change} {mutant.text}'
    seen[words] = seen.get(words, 0) + 1
    return hashlib.sha256(f'{words} {seen[words]}'.encode()).hexdigest()


def render(source, mutants):
    """The file with all these mutants in it."""
    edits, comparisons = [], {}
    for m in mutants:
        if m.kind in ('flipped', 'boundary'):
            comparisons.setdefault(m.wraps[0][:2], {'mutant': m})[m.kind] = m.number
            continue
        for start, end, before, after in m.wraps:
            names = {'s': m.space, 'n': m.number}
            edits.append((start, end, before.format(**names), after.replace('}}', '}')))
    replaced = []
    for (start, end), of in comparisons.items():
        m = of['mutant']
        numbers = f"{of.get('flipped', -1)}, {of.get('boundary', -1)}"
        before = m.wraps[0][2].replace('{s}', m.space).replace('{flipped}', numbers).replace('{boundary}', numbers)
        edits.append((start, end, before, ')'))
        replaced += m.replaced
    order = sorted(range(len(edits)), key=lambda e: (edits[e][0], -edits[e][1], e))
    inserts = []  # (position, closing first, order, text, characters to leave out)
    for rank, e in enumerate(order):
        start, end, before, after = edits[e]
        inserts.append((start, 2, rank, before, 0))
        inserts.append((end, 0, -rank, after, 0))
    for start, end, text in replaced:
        inserts.append((start, 1, 0, text, end - start))
    out, at = [], 0
    for position, _, _, text, skipped in sorted(inserts, key=lambda x: x[:3]):
        out.append(source[at:position] + text)
        at = position + skipped
    return '#include "mutant.h"\n#line 1\n' + ''.join(out) + source[at:]
