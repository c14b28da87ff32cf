"""Renders a chat template the way Hugging Face's transformers does.

Reads {"template", "variables"} as JSON from standard input, writes {"text"} or {"problem",
"sentence"} as JSON. Runs as a process of its own (python3 -I -B -c), within limits its
parent has set.
"""
import datetime
import json
import sys


LONGEST_SENTENCE = 2000


def answer(**fields):
    # A lone surrogate is not text, and the reader of the JSON refuses it. Only the template can
    # produce one, by an escape or a format such as %c; the variables contain none.
    valid = {name: text.encode("utf-8", "replace").decode("utf-8") for name, text in fields.items()}
    sys.stdout.buffer.write(json.dumps(valid).encode("ascii"))
    sys.stdout.flush()
    sys.exit(0)


try:
    import jinja2
    import jinja2.ext
    import jinja2.nodes
    import jinja2.sandbox
except ImportError as error:
    answer(problem="no Jinja2", sentence=str(error))


class Refusal(jinja2.exceptions.TemplateError):
    """A message that a template raises by raise_exception."""


class Generation(jinja2.ext.Extension):
    """{% generation %} … {% endgeneration %} marks what a model was trained to write."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        call = self.call_method("same")
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    def same(self, caller):
        return caller()


def raise_exception(message):
    raise Refusal(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    # Unlike Jinja's own filter this does not escape for HTML.
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators,
                      sort_keys=sort_keys)


def strftime_now(form):
    return datetime.datetime.now().strftime(form)


request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = strftime_now
try:
    text = environment.from_string(request["template"]).render(**request["variables"])
except Refusal as refusal:
    answer(problem="refused", sentence=str(refusal)[:LONGEST_SENTENCE])
except jinja2.exceptions.TemplateSyntaxError as error:
    answer(problem="failed",
           sentence=f"{str(error.message)[:LONGEST_SENTENCE]} (line {error.lineno})")
except MemoryError:
    answer(problem="memory", sentence="")
except Exception as error:  # of an untrusted template
    answer(problem="failed",
           sentence=f"{type(error).__name__}: {str(error)[:LONGEST_SENTENCE]}")
answer(text=text)
