// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/chat/chat_template.h"

#include <nlohmann/json.hpp>

#include "core/text/chat/jinja.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using equipatch::test::TextFolder;

/// Templates written for this test with the constructs of the families' templates. The
/// expected texts are written by hand.
class tst_chat_template : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void templateIsReadFromThePreferredFile();
  void defaultIsChosenAmongSeveralTemplates();
  void messagesKeepTheOrderOfTheirKeys();
  void reportsAMissingTemplate();
  void refusesFilesThatAreNoTemplate();
  void rendersStylesOfTheFamilies_data();
  void rendersStylesOfTheFamilies();
  void templateReceivesTheSpecialTokens();
  void reportsRefusalsOfTheTemplate();
  void rendersTheTemplateOfQwen2();
};

namespace {

constexpr const char* kInstructions = R"({{ bos_token }}
{%- if messages[0]['role'] == 'system' %}
    {%- set loop_messages = messages[1:] %}
    {%- set system_message = messages[0]['content'] %}
{%- else %}
    {%- set loop_messages = messages %}
    {%- set system_message = false %}
{%- endif %}
{%- for message in loop_messages %}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
        {{- raise_exception('Roles must alternate user/assistant/user/assistant/...') }}
    {%- endif %}
    {%- if loop.index0 == 0 and system_message != false %}
        {%- set content = '<<SYS>>\n' + system_message + '\n<</SYS>>\n\n' + message['content'] %}
    {%- else %}
        {%- set content = message['content'] %}
    {%- endif %}
    {%- if message['role'] == 'user' %}
        {{- '[INST] ' + content.strip() + ' [/INST]' }}
    {%- elif message['role'] == 'assistant' %}
        {{- ' ' + content | trim + ' ' + eos_token }}
    {%- endif %}
{%- endfor %})";

constexpr const char* kHeaders = R"({%- if not date_string is defined %}
    {%- set date_string = "26 Jul 2024" %}
{%- endif %}
{%- macro header(role) %}{{ '<|start|>' + role + '<|end|>\n\n' }}{%- endmacro %}
{{- bos_token }}
{%- if messages[0].role == "system" %}
    {%- set system_message = messages[0].content | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- header("system") }}
{{- "Today: " + date_string + "\n\n" }}
{{- system_message }}
{{- "<|eot|>" }}
{%- if tools is not none %}{{ raise_exception("no tools here") }}{% endif %}
{%- for message in messages %}
    {{- header(message.role) + message['content'] | trim + '<|eot|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- header('assistant') }}
{%- endif %}
)";

constexpr const char* kTurns = R"({{ bos_token }}{%- set ns = namespace(first='') -%}
{%- if messages[0]['role'] == 'system' -%}
    {%- set ns.first = messages[0]['content'] + '

' -%}
    {%- set loop_messages = messages[1:] -%}
{%- else -%}
    {%- set loop_messages = messages -%}
{%- endif -%}
{%- for message in loop_messages -%}
    {%- set role = 'model' if message['role'] == 'assistant' else message['role'] -%}
    {{ '<turn>' + role + '
' + (ns.first if loop.first else '') }}
    {%- if message['content'] is string -%}
        {{ message['content'] | trim }}
    {%- elif message['content'] is iterable -%}
        {%- for item in message['content'] -%}{{ item['text'] }}{%- endfor -%}
    {%- endif -%}
    {{ '<end>
' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{ '<turn>model
' }}
{%- endif -%}
)";

constexpr const char* kMarkup = R"({%- if messages[0]['role'] == 'system' %}
{{- '<|im_start|>system\n' + messages[0]['content'] + '<|im_end|>\n' }}
{%- else %}
{{- '<|im_start|>system\nYou are helpful.<|im_end|>\n' }}
{%- endif %}
{%- for m in messages %}
{%- if m.role == 'user' or (m.role == 'system' and not loop.first) or m.role == 'assistant' %}
{{- '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>' + '\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}
{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>' }}{%- endif %}
{%- endif %})";

const std::vector<ChatMessage> kAsked{{"user", "Hi <b>\n"}};
const std::vector<ChatMessage> kTalk{
    {"system", "Be é."}, {"user", "Hi"}, {"assistant", "Yo "}, {"user", " Why?"}};

/// False if this machine has no Python with Jinja2. Any other error fails the test.
bool canRenderJinja() {
  try {
    const Json none = Json::object();
    renderJinja(
        {.source = "", .text = "", .variables = none, .pythons = pythonsOfThisMachine()});
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Resource) throw;
    return false;
  }
}

}  // namespace

void tst_chat_template::initTestCase() {
  static const bool present = canRenderJinja();
  if (!present) QSKIP("no Python with Jinja2 on this machine");
}

void tst_chat_template::templateIsReadFromThePreferredFile() {
  const TextFolder folder;
  QVERIFY(!ChatTemplate::find(folder.path()));
  folder.write("chat_template.json", R"({"chat_template": "third"})");
  QCOMPARE(ChatTemplate::find(folder.path())->text(), std::string("third"));
  folder.write("tokenizer_config.json", R"({"chat_template": null})");
  QCOMPARE(ChatTemplate::find(folder.path())->text(), std::string("third"));
  folder.write("tokenizer_config.json", R"({"chat_template": "second"})");
  QCOMPARE(ChatTemplate::find(folder.path())->text(), std::string("second"));
  folder.write("chat_template.jinja", "first");
  const auto found = ChatTemplate::open(folder.path());
  QCOMPARE(found.text(), std::string("first"));
  QCOMPARE(found.source(), (folder.path() / "chat_template.jinja").string());
}

void tst_chat_template::defaultIsChosenAmongSeveralTemplates() {
  const TextFolder folder;
  folder.write("tokenizer_config.json",
               R"({"chat_template": [{"name": "tool_use", "template": "t"},
                                     {"name": "default", "template": "d"}]})");
  QCOMPARE(ChatTemplate::open(folder.path()).render(kAsked), std::string("d"));
  folder.write("tokenizer_config.json",
               R"({"chat_template": [{"name": "tool_use", "template": "t"}]})");
  QVERIFY_ERROR(ChatTemplate::find(folder.path()), "tokenizer_config.json", "default",
                "tool_use");
  std::string others;
  for (int number = 0; number < 10'000; ++number)
    others += (number ? "," : "") + std::string(R"({"name": "tool_use"})");
  folder.write("tokenizer_config.json", R"({"chat_template": [)" + others + "]}");
  try {
    ChatTemplate::find(folder.path());
    QFAIL("was found");
  } catch (const Error& error) {
    const std::string_view sentence = error.what();
    QVERIFY(sentence.find("\"tool_use\", …") != std::string_view::npos);
    QVERIFY(sentence.size() < 1000);
  }
}

/// transformers keeps this order, and a template may print whole messages.
void tst_chat_template::messagesKeepTheOrderOfTheirKeys() {
  const TextFolder folder;
  folder.write("chat_template.jinja", "{{ messages | tojson }}");
  const std::vector<ChatMessage> seen{{.role = "user", .content = "a", .images = 1}};
  QCOMPARE(ChatTemplate::open(folder.path()).render(seen),
           std::string(R"([{"role": "user", "content": [{"type": "image"}, )"
                       R"({"type": "text", "text": "a"}]}])"));
}

void tst_chat_template::reportsAMissingTemplate() {
  const TextFolder folder;
  QVERIFY_ERROR(ChatTemplate::open(folder.path()), folder.path().c_str(),
                "chat_template.jinja", "tokenizer_config.json");
}

void tst_chat_template::refusesFilesThatAreNoTemplate() {
  const TextFolder folder;
  folder.write("tokenizer_config.json", R"({"chat_template": 3})");
  QVERIFY_ERROR(ChatTemplate::find(folder.path()), "chat_template");
  folder.write("chat_template.jinja", "a\xFF");
  QVERIFY_ERROR(ChatTemplate::find(folder.path()), "chat_template.jinja", "byte 1");
  folder.write("chat_template.jinja", std::string(2 << 20, 'a'));
  QVERIFY_ERROR(ChatTemplate::find(folder.path()),
                "chat_template.jinja has 2097152 bytes", "at most");
}

void tst_chat_template::rendersStylesOfTheFamilies_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("asked");
  QTest::addColumn<QString>("talk");
  QTest::newRow("instructions")
      << kInstructions << "<s>[INST] Hi <b> [/INST]"
      << "<s>[INST] <<SYS>>\nBe é.\n<</SYS>>\n\nHi [/INST] Yo </s>[INST] Why? [/INST]";
  QTest::newRow("headers")
      << kHeaders
      << "<s><|start|>system<|end|>\n\nToday: 26 Jul "
         "2024\n\n<|eot|><|start|>user<|end|>\n\n"
         "Hi <b><|eot|><|start|>assistant<|end|>\n\n"
      << "<s><|start|>system<|end|>\n\nToday: 26 Jul 2024\n\nBe é.<|eot|>"
         "<|start|>user<|end|>\n\nHi<|eot|><|start|>assistant<|end|>\n\nYo<|eot|>"
         "<|start|>user<|end|>\n\nWhy?<|eot|><|start|>assistant<|end|>\n\n";
  QTest::newRow("turns") << kTurns << "<s><turn>user\nHi <b><end>\n<turn>model\n"
                         << "<s><turn>user\nBe é.\n\nHi<end>\n<turn>model\nYo<end>\n"
                            "<turn>user\nWhy?<end>\n<turn>model\n";
  QTest::newRow("markup")
      << kMarkup
      << "<|im_start|>system\nYou are helpful.<|im_end|>\n<|im_start|>user\nHi <b>\n"
         "<|im_end|>\n<|im_start|>assistant\n"
      << "<|im_start|>system\nBe é.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
         "<|im_start|>assistant\nYo <|im_end|>\n<|im_start|>user\n Why?<|im_end|>\n"
         "<|im_start|>assistant\n";
}

void tst_chat_template::rendersStylesOfTheFamilies() {
  QFETCH(QString, text);
  QFETCH(QString, asked);
  QFETCH(QString, talk);
  const TextFolder folder;
  folder.write("tokenizer_config.json", Json{{"bos_token", "<s>"},
                                             {"eos_token", {{"content", "</s>"}}},
                                             {"chat_template", text.toStdString()}}
                                            .dump());
  const auto chat = ChatTemplate::open(folder.path());
  QCOMPARE(QString::fromStdString(chat.render(kAsked)), asked);
  QCOMPARE(QString::fromStdString(chat.render(kTalk)), talk);
}

void tst_chat_template::templateReceivesTheSpecialTokens() {
  const TextFolder folder;
  folder.write("chat_template.jinja",
               "{{ bos_token }}{{ eos_token }}{{ pad_token is defined }}"
               "{{ additional_special_tokens | join(',') }}");
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "LlamaTokenizer"})");
  folder.write("special_tokens_map.json",
               R"({"additional_special_tokens": ["<x>", "<y>"]})");
  QCOMPARE(ChatTemplate::open(folder.path()).render({}),
           std::string("<s></s>False<x>,<y>"));
}

void tst_chat_template::reportsRefusalsOfTheTemplate() {
  const TextFolder folder;
  folder.write("chat_template.jinja", kInstructions);
  const auto chat = ChatTemplate::open(folder.path());
  QVERIFY_ERROR(chat.render({{"assistant", "a"}}), "chat_template.jinja",
                "Roles must alternate user/assistant/user/assistant/...");
  QVERIFY_ERROR(chat.render({{"user", "a\xFF"}}), "UTF-8", "byte 1");
}

void tst_chat_template::rendersTheTemplateOfQwen2() {
  EXTRA_DATA_OR_SKIP(real, "tokenizers/qwen2");
  QCOMPARE(ChatTemplate::open(real).render({{"user", "Hi"}}),
           std::string("<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"
                       "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"));
}

EQUIPATCH_TEST(tst_chat_template)
#include "tst_chat_template.moc"
