/** Values as JSON, in a region that scrolls. */
export const JsonView = ({ value }: { value: unknown }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-subtle p-3 text-xs">
    {JSON.stringify(value, null, 2)}
  </pre>
);
