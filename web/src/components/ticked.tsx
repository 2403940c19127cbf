// Sentences of ours in which code stands between backticks, as our messages have it.

export function Ticked({ text }: { readonly text: string }) {
  const pieces = text.split(/`([^`]+)`/);
  // Every second piece stood between two.
  return (
    <>{pieces.map((piece, index) => (index % 2 === 1 ? <code key={`${index} ${piece}`}>{piece}</code> : piece))}</>
  );
}
