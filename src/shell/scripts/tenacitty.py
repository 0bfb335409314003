# Tells tenacitty where prompts and commands begin and end in this Python, and runs the commands that it is given.
# Loading it again repairs what is missing. It runs in its own scope, so that only the name `__tenacitty` is visible and
# users may name their own variables `str` or `open`.
from builtins import *


def __tenacitty(nonce, directory, scope):
    import ast
    import base64
    import linecache
    import os
    import sys

    is_line_edited = 'readline' in sys.modules or '_pyrepl.readline' in sys.modules
    last = turn = 0
    seen = getattr(sys, 'last_value', None)

    def mark(text):
        return '\033]7717;%s;%s\007' % (nonce, text)

    # One write: no other output can come in between.
    def say(text):
        with open('/dev/tty', 'wb', buffering=0) as terminal:
            terminal.write(mark(text).encode('utf-8', 'replace'))

    # Too long for a mark: tenacitty asks the system for it.
    def place():
        try:
            here = ''.join(c if c.isprintable() else '?' for c in os.getcwd())
        except OSError:
            return ''
        return here if len(here) <= 200 else ''

    # What was typed for us stays out of the user's history.
    def forget():
        try:
            import readline

            at = readline.get_current_history_length()
            if at > 0 and 'tenacitty' in (readline.get_history_item(at) or ''):
                readline.remove_history_item(at - 1)
        except Exception:
            pass

    # If no files can be shared, the text is typed line by line as it is requested, ended by a dot.
    def typed(number):
        text = b''
        with open('/dev/tty', 'rb', buffering=0) as terminal:
            while True:
                say('N;%d;%d' % (number, os.getpid()))
                line = terminal.readline().strip()
                if line in (b'', b'.'):
                    return base64.b64decode(text).decode('utf-8')
                text += line

    def text_of(number):
        if not directory:
            return typed(number)
        with open(os.path.join(directory, str(number)), encoding='utf-8', newline='') as file:
            return file.read()

    def evaluate(text, name):
        tree = ast.parse(text, name)
        shown = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, 'exec', dont_inherit=True), scope)
        if shown is not None:
            value = ast.Expression(shown.value)
            sys.displayhook(eval(compile(value, name, 'eval', dont_inherit=True), scope))

    def complain(error, name):
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != name:
            trace = trace.tb_next
        error = error.with_traceback(trace)
        sys.last_type, sys.last_value, sys.last_traceback = type(error), error, trace
        sys.excepthook(type(error), error, trace)

    def run(number):
        nonlocal last
        forget()
        if number <= last:
            return
        text = text_of(number)
        last = number
        name = '<command %d>' % number
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        say('C;%d;%d' % (number, os.getpid()))
        status = 1
        try:
            evaluate(text, name)
            status = 0
        except SystemExit:
            raise
        except BaseException as error:
            complain(error, name)
        for stream in (sys.stdout, sys.stderr):
            # The program may have replaced or closed the stream.
            try:
                stream.flush()
            except Exception:
                pass
        say('D;%d;%d;%d;%s' % (number, status, os.getpid(), place()))

    def hidden(text):
        return '\001%s\002' % text if is_line_edited else text

    def returned():
        nonlocal turn, seen
        newest = getattr(sys, 'last_value', None)
        status, seen, turn = int(newest is not seen), newest, turn + 1
        say('D;h%d;%d;%d;%s' % (turn, status, os.getpid(), place()))

    def around(shown):
        return hidden(mark('A;%d' % os.getpid())) + str(shown) + hidden(mark('B;%d' % os.getpid()))

    class Prompt:
        def __init__(self, shown):
            self.shown = shown

        def __str__(self):
            returned()
            return around(self.shown)

    # The multi-line editor introduced in 3.13 uses its prompt as is and redraws it with each key.
    class FixedPrompt(str):
        pass

    def fixed(shown, reader):
        prompt = FixedPrompt(around(shown))
        prompt.shown = shown
        prepare = getattr(reader.prepare, 'tenacitty', reader.prepare)

        def prepare_and_tell():
            if reader.ps1 is prompt:
                returned()
            prepare()

        prepare_and_tell.tenacitty = prepare
        reader.prepare = prepare_and_tell
        return prompt

    class Continuation:
        def __init__(self, shown):
            self.shown = shown

        def __str__(self):
            return hidden(mark('F;%d' % os.getpid())) + str(self.shown)

    def shown(name, otherwise):
        prompt = getattr(sys, name, otherwise)
        return getattr(prompt, 'shown', prompt)

    if '_pyrepl.readline' in sys.modules:
        sys.ps1 = fixed(shown('ps1', '>>> '), sys.modules['_pyrepl.readline']._get_reader())
    else:
        sys.ps1 = Prompt(shown('ps1', '>>> '))
        sys.ps2 = Continuation(shown('ps2', '... '))
    forget()
    say('I;%d;python;%d.%d.%d' % ((os.getpid(),) + sys.version_info[:3]))
    return run


scope['__tenacitty'] = __tenacitty(@NONCE@, @DIRECTORY@, scope)
