/** The parts of Eleventy's interface that the build uses. */
declare module '@11ty/eleventy' {
  interface TemplateData {
    readonly page: { readonly inputPath: string };
  }
  interface Config {
    setUseGitIgnore(isUsed: boolean): void;
    setTemplateFormats(formats: readonly string[]): void;
    setLibrary(extension: string, library: { render(text: string, data: TemplateData): string }): void;
    addGlobalData(name: string, value: unknown): void;
    addTemplate(name: string, content: string): void;
    addTransform(name: string, transform: (this: TemplateData, content: string) => string): void;
  }
  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { quietMode: boolean; config: (config: Config) => Promise<void> },
    );
    write(): Promise<unknown>;
  }
}
