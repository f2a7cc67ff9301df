"""C++ as tokens, as far as scripts/mutate needs them. It relies on clang-format: operators have blanks around them, and the
brackets of templates have none."""
import re

TOKEN = re.compile(r'''
  (?P<space>\s+)
| (?P<comment>//[^\n]*|/\*.*?\*/)
| (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)")
| (?P<str>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
| (?P<num>\.?[0-9](?:[eEpP][+-]|'?[0-9a-zA-Z_.])*)
| (?P<id>[A-Za-z_]\w*)
| (?P<op><=>|<<=|>>=|\.\.\.|->\*|::|->|\+\+|--|<<|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|.)
''', re.VERBOSE | re.DOTALL)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n\\]|\\.|\\\n)*', re.MULTILINE | re.DOTALL)
PAIRS = {'(': ')', '[': ']', '{': '}', '<t': '>t'}
ASSIGN = {'=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>='}
SCOPES = {'namespace', 'struct', 'class', 'union', 'enum', 'extern'}
BEFORE_BODY = {'const', 'noexcept', 'override', 'final', 'mutable', 'else', 'do', 'try'}
UNEVALUATED = {'static_assert', 'sizeof', 'decltype', 'alignas', 'noexcept', 'requires', 'HW_CHECK', 'HW_SHARED', 'HW_BOUNDS',
               'HW_DYNAMIC_SHARED', 'HW_SPLIT_STORAGE', 'constexpr', '__attribute__', 'assert'}
CONSTANT_STATEMENTS = {'constexpr', 'static_assert', 'using', 'typedef', 'template', 'case', 'HW_SHARED', 'HW_DYNAMIC_SHARED',
                       'HW_BOUNDS', 'HW_CHECK'}


class Token:
    __slots__ = ('kind', 'text', 'start', 'end', 'spaced')

    def __init__(self, kind, text, start, spaced):
        self.kind, self.text, self.start, self.end, self.spaced = kind, text, start, start + len(text), spaced


def tokenize(source):
    directives = {m.start() + len(m.group()) - len(m.group().lstrip()): m.end() for m in DIRECTIVE.finditer(source)}
    tokens, at, line_start = [], 0, True
    while at < len(source):
        if source[at] == '#' and line_start and at in directives:
            at = directives[at]
            continue
        m = TOKEN.match(source, at)
        kind, text = m.lastgroup if m.lastgroup != 'mark' else 'raw', m.group()
        if kind in ('space', 'comment'):
            line_start = '\n' in text or (line_start and kind == 'space')
            at = m.end()
            continue
        line_start = False
        if kind == 'op':
            before = at > 0 and source[at - 1].isspace()
            after = source[at + len(text):at + len(text) + 1].isspace()
            if text[0] in '<>' and text not in ('<=>',) and not (before and after) and text != '<=' and \
                    not (tokens and tokens[-1].text == 'operator'):
                text = text[0]
                kind = 'angle'
            tokens.append(Token('op', text + 't' if kind == 'angle' else text, at, before and after))
            tokens[-1].end = at + len(text)
            at += len(text)
            continue
        tokens.append(Token('str' if kind == 'raw' else kind, text, at, False))
        at = m.end()
    return tokens


def match_brackets(tokens):
    match, stack = {}, []
    for i, t in enumerate(tokens):
        if t.kind != 'op':
            continue
        if t.text in PAIRS:
            stack.append(i)
        elif t.text in (')', ']', '}', '>t'):
            while stack and tokens[stack[-1]].text == '<t' and t.text != '>t':
                stack.pop()
            if stack and PAIRS[tokens[stack[-1]].text] == t.text:
                match[i] = stack[-1]
                match[stack.pop()] = i
    return match


class Frame:
    __slots__ = ('kind', 'constexpr', 'skip', 'statement', 'open')

    def __init__(self, kind, is_constexpr, skip, statement, opened):
        self.kind, self.constexpr, self.skip, self.statement, self.open = kind, is_constexpr, skip, statement, opened


class Parsed:
    """What is where: `body[i]`: token i is in a function. `constant[i]`: it must stay a constant expression, or decides
    nothing. `in_constexpr[i]`: the function is constexpr. `statements`: (first, semicolon) of each in a block."""

    def __init__(self, source):
        self.source, self.tokens = source, tokenize(source)
        self.match = match_brackets(self.tokens)
        n = len(self.tokens)
        self.body, self.constant, self.in_constexpr = [False] * n, [False] * n, [False] * n
        self.statements, self.controls = [], []
        self._scan()

    def head(self, i):
        """Tokens of the declaration that ends before token i."""
        found, j = [], i - 1
        while j >= 0 and self.tokens[j].text not in (';', '{', '}'):
            found.append(self.tokens[j].text)
            j = self.match[j] - 1 if self.tokens[j].text in (')', ']', '>t') and j in self.match else j - 1
        return found

    def _kind(self, i, frame):
        """What the brace at token i opens: a body, a scope or an initialiser."""
        if i == 0:
            return 'scope'
        before = self.tokens[i - 1].text
        if before in (')', ']') or (before in BEFORE_BODY and not SCOPES & set(self.head(i))):
            return 'body'
        if before in (';', '{', '}', ':') and frame.kind == 'body':
            return 'body'
        head = self.head(i)
        if SCOPES & set(head):
            return 'enum' if 'enum' in head else 'scope'
        if '->' in head and before not in ('=', '(', ',', 'return'):
            return 'body'
        if before == '}' and frame.kind == 'scope':
            return 'body'
        return 'init'

    def _scan(self):
        stack = [Frame('scope', False, False, 0, -1)]
        for i, t in enumerate(self.tokens):
            top = stack[-1]
            closing = t.text in (')', ']', '}', '>t') and len(stack) > 1 and self.match.get(i) == top.open
            if closing:
                stack.pop()
                top = stack[-1]
            self.body[i] = top.kind == 'body'
            self.in_constexpr[i] = top.constexpr
            first = self.tokens[top.statement].text if top.statement <= i else ''
            second = self.tokens[top.statement + 1].text if top.statement + 1 <= i else ''
            self.constant[i] = top.skip or first in CONSTANT_STATEMENTS or (first in ('static', 'inline') and
                                                                            second == 'constexpr')
            if t.text in PAIRS and i in self.match:
                stack.append(self._open(i, t, top))
            elif closing:
                self._close(i, t, top)
            elif t.text == ';' and top.kind == 'body' and top.open >= 0 and self.tokens[top.open].text == '{':
                self.statements.append((top.statement, i))
                top.statement = i + 1
            elif t.text in ('else', 'do') or (t.text == ':' and first in ('case', 'default', 'public', 'private')):
                top.statement = i + 1

    def _open(self, i, t, top):
        before = self.tokens[i - 1].text if i else ''
        if t.text == '{':
            kind = self._kind(i, top)
            if kind == 'init':
                return Frame(top.kind, top.constexpr, self.constant[i], i + 1, i)
            is_constexpr = top.constexpr or (kind == 'body' and ('constexpr' in self.head(i) or 'consteval' in self.head(i)))
            return Frame(kind, is_constexpr, self.constant[i] and kind != 'body', i + 1, i)
        skip = self.constant[i] or t.text == '<t' or before in UNEVALUATED
        if t.text == '(' and before in ('if', 'while') and not skip and self.body[i]:
            self.controls.append(i)
        return Frame(top.kind, top.constexpr, skip, i + 1, i)

    def _close(self, i, t, top):
        opened = self.match[i]
        before = self.tokens[opened - 1].text if opened else ''
        if t.text == ')' and before in ('if', 'for', 'while', 'switch', 'constexpr'):
            top.statement = i + 1
        elif t.text == '}' and self.body[i] and (self.tokens[i + 1].text if i + 1 < len(self.tokens) else '') not in \
                (';', ')', ',', '(', '.'):
            top.statement = i + 1
        elif t.text == '}' and not self.body[i]:
            top.statement = i + 1
