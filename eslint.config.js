// What the linter looks for in our own scripts. deck.js is a built library.
import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['**/deck.js', 'research/**', 'site/**', '.venv/**'] },
  js.configs.recommended,
  { files: ['docs/web/**'], languageOptions: { globals: { PAGES: 'readonly', VERSIONS: 'readonly' } } },
  { languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: globals.browser } },
  { files: ['tests/javascript/**', 'eslint.config.js'], languageOptions: { globals: globals.node } },
];
