export const dangerText = {
  typeName: (name: string) => `To confirm, type “${name}”`,
  unsavedTitle: 'Leave without saving?',
  unsavedText: 'What you have typed on this page is lost.',
  leave: 'Leave the page',
  stay: 'Stay',
} as const;
