class C { string a = $"{x,3:N2}{{}}{$"{y}"}"; string b = @"\""q"; string c = """
  raw " ""
  """; string d = $$"""{{{z}}}"""; char e = '\u0041'; var u = "a"u8; }
