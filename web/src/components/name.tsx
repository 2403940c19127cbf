// A name or a path that may be broken after its punctuation, and not in the middle of a word.

export function Name({ text }: { readonly text: string }) {
  const pieces = text.split(/(?<=[_/.-])(?=[^_/.-])/);
  return (
    <>
      {pieces.map((piece, index) => (
        <span key={`${index} ${piece}`}>
          {piece}
          {index < pieces.length - 1 && <wbr />}
        </span>
      ))}
    </>
  );
}
