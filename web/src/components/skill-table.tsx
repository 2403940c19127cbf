// Skills of both kinds as rows: what each is for, where its folder is, how it is used, and what is wrong with it.

import type { SkillRow } from '../model/skill-rows.ts';
import type { SkillUse, UsesByName } from '../model/skill-uses.ts';
import { countText, plural } from '../text/format.ts';
import { Name } from './name.tsx';
import { FallbackPill, UnnamedPill } from './pills.tsx';
import { When } from './when.tsx';

interface SkillTableProps {
  readonly rows: readonly SkillRow[];
  /** `undefined`: not for this reader. */
  readonly uses: UsesByName | undefined;
}

export const SkillTable = ({ rows, uses }: SkillTableProps) => (
  <table class="table rows steady">
    <thead>
      <tr>
        <th scope="col">Skill</th>
        <th scope="col" class="hide-small kind-column">
          Kind
        </th>
        <th scope="col" class="hide-small source-column">
          Folder
        </th>
        {uses !== undefined && (
          <>
            <th scope="col" class="hide-small number uses-column">
              Uses in 30 days
            </th>
            <th scope="col" class="hide-small number when-column">
              Last used
            </th>
          </>
        )}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <Row key={row.key} row={row} use={uses?.find(row)} hasUses={uses !== undefined} />
      ))}
    </tbody>
  </table>
);

interface RowProps {
  readonly row: SkillRow;
  readonly use: SkillUse | undefined;
  readonly hasUses: boolean;
}

const Row = ({ row, use, hasUses }: RowProps) => (
  <tr>
    <td class="wide">
      <a class="row-link" href={row.address}>
        <Name text={row.name} />
      </a>{' '}
      <Wrong row={row} />
      <div class="muted small clamp">{row.description}</div>
      {row.why !== undefined && <div class="muted small clamp">{row.why}</div>}
      <div class="only-small in-line small muted">
        <span>{row.kind}</span>
        {use !== undefined && use.count > 0 && <span>{plural(use.count, 'use')}</span>}
        {use?.lastAt !== undefined && <When at={use.lastAt} isInRow />}
      </div>
    </td>
    <td class="hide-small small muted">
      {row.kind}
      {row.category !== undefined && <div>{row.category}</div>}
    </td>
    <td class="hide-small small muted mono wide">
      <Name text={row.source} />
    </td>
    {hasUses && (
      <>
        <td class="hide-small number">{use !== undefined && use.count > 0 && countText(use.count)}</td>
        <td class="hide-small number muted">{use?.lastAt !== undefined && <When at={use.lastAt} isInRow />}</td>
      </>
    )}
  </tr>
);

/** Nothing where all is well. */
const Wrong = ({ row: { availability, isUnnamed, problems, findings = 0 } }: { readonly row: SkillRow }) => (
  <span class="pills inline">
    {isUnnamed && <UnnamedPill />}
    {availability === 'fallback' && <FallbackPill />}
    {problems > 0 && <span class="pill warn">{plural(problems, 'problem')}</span>}
    {findings > 0 && (
      <span class="pill warn" title="Suspicious places, for a reader to judge">
        {plural(findings, 'finding')}
      </span>
    )}
  </span>
);
