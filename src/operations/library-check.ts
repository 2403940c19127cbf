// What would be said about a version before it is made: for an editor, as its author types (L7). Nothing is kept.
import { openYamlReader } from '../document/frontmatter.ts';
import { findHints } from '../library/find-hints.ts';
import { ok } from '../values/result.ts';
import { PROPOSERS } from './access.ts';
import { versionFields } from './library.ts';
import { newFinding } from './library-json.ts';
import { asFound, operation } from './operation.ts';
import { choice, list, record, text, whole } from './shape.ts';

const hint = record({
  rule: text(),
  severity: choice(['error', 'warning', 'advice']),
  message: text(),
  fix: text(),
  line: whole().about('Of the SKILL.md, where it is known').optional(),
}).named('VersionHint');

export const checkVersion = operation({
  id: 'check_version',
  summary:
    'What would be said about these files as a version of a skill: faults, broken rules, findings; nothing is kept',
  access: PROPOSERS,
  input: { name: versionFields.name, files: versionFields.files },
  output: record({
    faults: list(text()).about('Each refuses the version'),
    issues: list(hint).about('Rules that the SKILL.md breaks, and advice; none of them refuses'),
    findings: list(newFinding).about('What looks suspicious'),
  }).named('VersionCheck'),
  run: async ({ name, files }) => {
    const { faults, issues, findings } = await findHints(name, files, await openYamlReader());
    return ok({
      faults,
      issues: issues.map(({ rule, severity, message, fix, line }) => ({
        ...{ rule, severity, message, fix },
        ...(line !== undefined && { line }),
      })),
      findings: findings.map(({ path, rule, severity, line, message, fix, excerpt }) => ({
        ...{ path, rule, severity, line, message, fix, excerpt },
      })),
    });
  },
  project: asFound,
  http: {
    tag: 'library',
    id: 'checkVersion',
    method: 'POST',
    path: '/api/library/{name}/check',
    bodyName: 'CheckRequest',
    bodyAbout: 'The files; files that are no text may be left out',
    answer: 'What would be said',
  },
});
