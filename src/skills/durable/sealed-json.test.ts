import { expect, test } from 'vitest';
import { createSealedJson } from './sealed-json.ts';

const sealed = createSealedJson(async () => 'a secret of at least thirty-two bytes');

test('a value comes back as it was, and nothing of it can be read on the way (J6)', async () => {
  const value = { password: 'hunter2-hunter2', list: [1, null, 'é'] };
  const text = await sealed.seal(value, 'run-1');
  expect(await sealed.unseal(text, 'run-1')).toEqual(value);
  expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('hunter2');
  expect(await sealed.seal(value, 'run-1')).not.toBe(text);
});

test('what was changed, belongs to another run or has another key is refused (J6)', async () => {
  const text = await sealed.seal({ a: 1 }, 'run-1');
  await expect(sealed.unseal(text, 'run-2')).rejects.toThrow();
  await expect(createSealedJson(async () => 'another').unseal(text, 'run-1')).rejects.toThrow(
    'it was sealed with another key, or changed; give every server the same REPERTOIRE_SECRET',
  );
  for (let at = 0; at < text.length; at += 7) {
    const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
    if (Buffer.from(changed, 'base64').equals(Buffer.from(text, 'base64'))) continue;
    await expect(sealed.unseal(changed, 'run-1')).rejects.toThrow();
  }
  await expect(sealed.unseal('', 'run-1')).rejects.toThrow('none of ours');
});
