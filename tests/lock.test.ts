// The lock file: what `npm ci` installs fits the oldest Node that README names, so that it prints no warning.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly engines?: { readonly node?: string };
  /** For other platforms: npm says nothing of those that it leaves out. */
  readonly optional?: boolean;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

type Version = readonly [number, number, number];

const OLDEST: Version = [20, 19, 0];

const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** One comparison of a range, as packages write them: `>=18`, `^20.19.0`, `20.x`, `<25`. */
function allows(part: string, version: Version): boolean {
  const [, operator = '', major = '', minor = '0', patch = '0'] =
    /^(>=|>|<=|<|\^|~|=)?v?(\d+|\*)(?:\.(\d+|x))?(?:\.(\d+|x))?/.exec(part) ?? [];
  if (major === '*') return true;
  const numberOf = (text: string) => (text === 'x' ? 0 : Number(text));
  const limit: Version = [Number(major), numberOf(minor), numberOf(patch)];
  if (operator === '>=' || operator === '>') return compare(version, limit) >= 0;
  if (operator === '<' || operator === '<=') return compare(version, limit) < 0;
  return version[0] === limit[0] && compare(version, limit) >= 0;
}

const fits = (range: string, version: Version): boolean =>
  range.split('||').some((each) =>
    each
      .trim()
      .replace(/(>=|>|<=|<|\^|~)\s+/g, '$1')
      .split(/\s+/)
      .every((part) => allows(part, version)),
  );

test('npm ci on the oldest Node prints no EBADENGINE (U15)', () => {
  expect([fits('>=22', OLDEST), fits('^20.19.0 || >=22.12', OLDEST), fits('>= 18.12 <25', OLDEST)]).toEqual([
    false,
    true,
    true,
  ]);
  const refusing = Object.entries(packages)
    .filter(([, { engines, optional }]) => !optional && engines?.node !== undefined && !fits(engines.node, OLDEST))
    .map(([path, { engines }]) => `${path}: ${engines?.node}`);
  expect(Object.keys(packages).length).toBeGreaterThan(100);
  expect(refusing).toEqual([]);
});
