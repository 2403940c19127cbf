// Floor of every read: answers with another server's own bytes, from memory. No scan, no checks, no protocol.
//   node replay.mjs FILE    FILE is { "<method> <params as JSON>": "<result as JSON>" }
import { readFileSync } from 'node:fs';

const results = new Map(Object.entries(JSON.parse(readFileSync(process.argv[2], 'utf8'))));
let rest = '';

process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  let answers = '';
  for (const line of lines) answers += answer(JSON.parse(line));
  if (answers !== '') process.stdout.write(answers);
});

function answer({ id, method, params }) {
  if (id === undefined) return '';
  const result = results.get(`${method} ${JSON.stringify(params)}`) ?? '{}';
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}\n`;
}
