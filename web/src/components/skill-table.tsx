// Skills of both kinds as rows: what each is for, where it comes from, and whether something is wrong with it.

import type { SkillRow } from '../model/skill-rows.ts';
import { plural } from '../text/format.ts';
import { Name } from './name.tsx';
import { AvailabilityPill, KindPill, UnnamedPill } from './pills.tsx';

export const SkillTable = ({ rows }: { readonly rows: readonly SkillRow[] }) => (
  <table class="table rows steady">
    <thead>
      <tr>
        <th scope="col">Skill</th>
        <th scope="col" class="hide-small kind-column">
          Kind
        </th>
        <th scope="col" class="hide-small source-column">
          From
        </th>
        <th scope="col" class="hide-small state-column">
          State
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <Row key={row.key} row={row} />
      ))}
    </tbody>
  </table>
);

const Row = ({ row }: { readonly row: SkillRow }) => (
  <tr>
    <td class="wide">
      <a class="row-link" href={row.address}>
        <Name text={row.name} />
      </a>
      <div class="pills only-small">
        <KindPill kind={row.kind} />
        <State row={row} />
      </div>
      <div class="muted small clamp">{row.description}</div>
      {row.why !== undefined && <div class="muted small clamp">{row.why}</div>}
    </td>
    <td class="hide-small">
      <KindPill kind={row.kind} />
    </td>
    <td class="hide-small small muted mono wide">
      <Name text={row.source} />
    </td>
    <td class="hide-small">
      <State row={row} />
    </td>
  </tr>
);

const State = ({ row: { availability, isUnnamed, problems, findings = 0 } }: { readonly row: SkillRow }) => (
  <span class="pills">
    {isUnnamed && <UnnamedPill />}
    {availability !== undefined && <AvailabilityPill availability={availability} />}
    {problems > 0 && <span class="pill warn">{plural(problems, 'problem')}</span>}
    {findings > 0 && (
      <span class="pill warn" title="Suspicious places, for a reader to judge">
        {plural(findings, 'finding')}
      </span>
    )}
  </span>
);
