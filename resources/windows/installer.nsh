; What the installer registers beside the kinds of files of electron-builder.yml: for one person or for all, as was chosen.

!macro customInstall
  ; The two dashes end the switches: nothing in a link can be taken for one.
  WriteRegStr SHELL_CONTEXT "Software\Classes\millrace" "" "URL:Millrace"
  WriteRegStr SHELL_CONTEXT "Software\Classes\millrace" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\millrace\shell\open\command" "" '"$appExe" -- "%1"'
  ; YAML files keep the program that opens them; this one stands under "Open with".
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}" "FriendlyAppName" "${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\shell\open\command" "" '"$appExe" -- "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\SupportedTypes" ".yaml" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}\SupportedTypes" ".yml" ""
  ; What was installed is noted in the program's folder, where updates look for it.
  FileOpen $0 "$INSTDIR\resources\package-type" w
  FileWrite $0 "nsis"
  FileClose $0
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\millrace"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Applications\${APP_EXECUTABLE_FILENAME}"
!macroend
