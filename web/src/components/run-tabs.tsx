// Runs and the schedules that make some of them: two pages under one entry of the navigation.

export const RunTabs = ({ here }: { readonly here: 'runs' | 'schedules' }) => (
  <nav class="segments" aria-label="Runs and schedules">
    <a href="/runs" aria-current={here === 'runs' ? 'true' : undefined}>
      Runs
    </a>
    <a href="/schedules" aria-current={here === 'schedules' ? 'true' : undefined}>
      Schedules
    </a>
  </nav>
);
