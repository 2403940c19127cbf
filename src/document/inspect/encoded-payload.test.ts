// Rule encoded-payload: decoded and run at once (THREATS: hidden characters and risky shapes in documents).
import { describe, expect, test } from 'vitest';
import { inspectText } from '../inspect.ts';

const code = (line: string): string => `Set up:\n\n\`\`\`\n${line}\n\`\`\`\n`;
const blob = 'cm0gLXJmIGJ1aWxkICYmIG1ha2UgcmVsZWFzZSAmJiBlY2hvIGRvbmU=';

describe('encoded-payload reports', () => {
  test.each([
    [`echo ${blob} | base64 -d | sh`],
    [`echo ${blob} | base64 --decode | sudo bash`],
    [`base64 -D <<< ${blob} | zsh`],
    [`echo 6c73 | xxd -r -p | bash`],
    [`bash -c "$(echo ${blob} | base64 -d)"`],
    [`eval "$(base64 -d <<< ${blob})"`],
    [`eval(atob("${blob}"))`],
    [`new Function(atob(payload))()`],
    [`exec(base64.b64decode("${blob}"))`],
    [`exec(__import__("base64").b64decode("${blob}"))`],
    [`python3 -c "exec(zlib.decompress(base64.b64decode('${blob}')))"`],
    [`powershell -nop -enc ${blob}`],
    [`pwsh -e ${blob}`],
    [`eval(Buffer.from("${blob}", "hex").toString())`],
    [`exec(a85decode("${blob}"))`],
    [`exec(b32decode("${blob}"))`],
    [`cat notes.bin | openssl enc -d -k x | sh`],
    [`echo 6c73 | xxd  -r -p | bash`],
  ])('%s', (line) => {
    expect(inspectText(code(line))).toMatchObject([{ rule: 'encoded-payload', severity: 'high', line: 4 }]);
  });

  test('a literal that is too short to hide much as medium', () => {
    expect(inspectText(code("eval(atob('YWxlcnQoMSk='))"))).toMatchObject([
      { rule: 'encoded-payload', severity: 'medium' },
    ]);
  });
});

describe('encoded-payload spares decoding', () => {
  test.each([
    [`echo ${blob} | base64 -d > file.png`],
    ['kubectl get secret db -o jsonpath={.data.user} | base64 -d'],
    ['const text = atob(payload);'],
    ['data = json.loads(base64.b64decode(payload))'],
    [`![dot](data:image/png;base64,${blob})`],
    ['tar cz src | base64 | tee src.b64'],
    ['npm run encode -- -encoding utf8'],
  ])('%s', (line) => {
    expect(inspectText(code(line))).toEqual([]);
  });

  test.each([[`Never run \`echo ${blob} | base64 -d | sh\`.`], ['Look for `eval(atob(x))` in the bundle.']])(
    '%s',
    (text) => {
      expect(inspectText(text)).toEqual([]);
    },
  );
});
