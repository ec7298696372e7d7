//! Solutions, projects and properties to evaluated projects
