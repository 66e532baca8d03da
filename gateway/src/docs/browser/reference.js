// Fills the page of the reference. Colors and fonts come from the style sheet of the pages.
Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  // The header searches in the operations, too, and the system chooses between light and dark.
  hideSearch: true,
  hideDarkModeToggle: true,
  authentication: { preferredSecurityScheme: 'apiKey' },
});
