// JSON as text, never as markup.

export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    <section aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre class="code" tabIndex={0}>
        {JSON.stringify(value, null, 2) ?? 'nothing'}
      </pre>
    </section>
  );
}
