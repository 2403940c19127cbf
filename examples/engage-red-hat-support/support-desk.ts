// A small stand-in for a support organisation: articles, cases and attachments in memory. Nothing leaves the process.

interface Article {
  readonly id: string;
  readonly title: string;
  readonly product: string;
  readonly resolution: string;
}

interface SupportCase {
  readonly number: string;
  readonly summary: string;
  readonly product: string;
  readonly severity: 1 | 2 | 3 | 4;
  readonly status: 'open';
  readonly attachments: readonly string[];
}

export interface SupportDesk {
  /** Articles that hold every word, best known first. */
  search(words: string): readonly Article[];
  open(request: Pick<SupportCase, 'summary' | 'product' | 'severity'>): SupportCase;
  /** `undefined`: no such case. */
  attach(caseNumber: string, summary: string): SupportCase | undefined;
}

export function createSupportDesk(): SupportDesk {
  const cases = new Map<string, SupportCase>();
  return {
    search: (words) => {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
      return ARTICLES.filter((article) => wanted.every((word) => textOf(article).includes(word)));
    },
    open: (request) => {
      const number = `CASE-${String(cases.size + 1).padStart(4, '0')}`;
      const opened: SupportCase = { ...request, number, status: 'open', attachments: [] };
      cases.set(number, opened);
      return opened;
    },
    attach: (caseNumber, summary) => {
      const known = cases.get(caseNumber);
      if (known === undefined) return undefined;
      const updated = { ...known, attachments: [...known.attachments, summary] };
      cases.set(caseNumber, updated);
      return updated;
    },
  };
}

const textOf = ({ title, product, resolution }: Article): string => `${title} ${product} ${resolution}`.toLowerCase();

const ARTICLES: readonly Article[] = [
  {
    id: 'KB-1001',
    title: 'Node is NotReady after its disk filled up',
    product: 'OpenShift Container Platform',
    resolution: 'Free space below /var/lib/containers, then restart kubelet and wait for the node to report Ready.',
  },
  {
    id: 'KB-1002',
    title: 'dnf update fails with a GPG check error',
    product: 'Red Hat Enterprise Linux',
    resolution: 'Import the current release key, clear the metadata with dnf clean all, and update again.',
  },
  {
    id: 'KB-1003',
    title: 'Service is denied access to a file by SELinux',
    product: 'Red Hat Enterprise Linux',
    resolution:
      'Read the denial with ausearch -m avc, then restore the label with restorecon instead of disabling SELinux.',
  },
];
