// Skills that have suspicious places, below the problems: they are served all the same, so that a reader has to judge.
import { withQuery } from '../api/ask.ts';
import { useLoaded } from '../api/use-loaded.ts';
import type { DocumentList } from '../model/shapes.ts';
import { documentRows } from '../model/skill-rows.ts';
import { plural } from '../text/format.ts';
import { Name } from './name.tsx';
import { Card } from './page.tsx';

interface SuspiciousSkillsProps {
  /** How many documents are looked at. */
  readonly limit: number;
}

export function SuspiciousSkills({ limit }: SuspiciousSkillsProps) {
  // Takes the server a while: the problems do not wait for it.
  const { value } = useLoaded<DocumentList>(withQuery('/api/documents', { limit, findings: 'true' }), { keep: true });
  const found = documentRows(value?.documents ?? [], new Map()).filter(({ findings = 0 }) => findings > 0);
  if (found.length === 0) return null;
  return (
    <Card title="Suspicious places" note={plural(found.length, 'skill')}>
      <p class="card-body muted">
        These skills are served, and have text that could mislead an agent or harm a machine. Read it, and judge.
      </p>
      <ul class="problem-files">
        {found.map(({ key, name, address, source, findings = 0 }) => (
          <li key={key}>
            <h3>
              <a href={address}>
                <Name text={name} />
              </a>
            </h3>
            <p class="small muted break">
              {plural(findings, 'finding')} · {source}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
