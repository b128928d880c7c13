/** A flow that shows the form of the file and runs anywhere, without a model. */
export const smallestFlow = `flow:
  name: Hello
  input:
    who: world
nodes:
  - id: greet
    type: template
    input:
      who: "{{flow.input.who}}"
    config:
      template: "Hello, {{who}}!"
  - id: save
    type: file.write
    input:
      path: hello.txt
      text: "{{greet.text}}"
edges:
  - { from: greet, to: save }
`;
