/** Text of a contract: what is between backticks is code. */
export const Prose = ({ text }: { text: string }) => (
  <>
    {text.split('`').map((part, index) =>
      index % 2 === 1 ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
        <code key={index} className="rounded-sm bg-subtle px-1 text-xs">
          {part}
        </code>
      ) : (
        part
      ),
    )}
  </>
);
